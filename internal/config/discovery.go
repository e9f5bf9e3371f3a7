package config

// discovery reads where a vendor describes its own answers.
func (f *fields) discovery() Discovery {
	d := Discovery{URL: f.text("url"), Next: f.text("next"), Fields: f.text("fields")}
	if d.URL != "" && d.Fields == "" {
		f.missing("fields", "write the jq program that finds the fields' names, such as '{id: .answer.id_field}'; programs of map read it as $field.id")
	}
	f.end()
	return d
}
