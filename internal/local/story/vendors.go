package story

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"sync"
)

// Vendors serves the recorded bodies of three monitoring vendors, adapted to the
// world of the current step. It is an http.Handler.
type Vendors struct {
	mux *http.ServeMux

	mu      sync.Mutex
	world   World
	limited bool

	issues, monitors, alerts []map[string]any
}

// NewVendors reads the recorded bodies from testdata/vendors.
func NewVendors(dir string) (*Vendors, error) {
	v := &Vendors{mux: http.NewServeMux()}
	for path, into := range map[string]*[]map[string]any{
		"sentry/organization_issues_unresolved.json": &v.issues,
		"datadog/monitor_list.json":                  &v.monitors,
		"alertmanager/alerts.json":                   &v.alerts,
	} {
		data, err := os.ReadFile(filepath.Join(dir, path))
		if err != nil {
			return nil, fmt.Errorf("read a recorded vendor body: %w", err)
		}
		if err := json.Unmarshal(data, into); err != nil {
			return nil, fmt.Errorf("read the recorded vendor body %s: %w", path, err)
		}
	}
	v.mux.HandleFunc("GET /api/0/organizations/{org}/issues/", v.sentry)
	v.mux.HandleFunc("GET /api/v1/monitor", v.datadog)
	v.mux.HandleFunc("GET /api/v2/alerts", v.alertmanager)
	return v, nil
}

// Set changes the world.
func (v *Vendors) Set(w World) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.world, v.limited = w, w.SentryLimited
}

func (v *Vendors) ServeHTTP(w http.ResponseWriter, r *http.Request) { v.mux.ServeHTTP(w, r) }

func (v *Vendors) now() World {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.world
}

// sentry serves two pages, whatever their content, always with both Link relations,
// as Sentry does.
func (v *Vendors) sentry(w http.ResponseWriter, r *http.Request) {
	world := v.now()
	if v.takeLimit() {
		w.Header().Set("Retry-After", "1")
		reply(w, http.StatusTooManyRequests, map[string]string{"detail": "You are attempting to use this endpoint too frequently."})
		return
	}
	second := r.URL.Query().Get("cursor") == "0:100:0"
	if second && world.SentryPage2Down {
		reply(w, http.StatusInternalServerError, map[string]string{"detail": "Internal Error"})
		return
	}
	page := pick(v.issues, "id", func(id string) bool {
		return slices.Contains(world.Sentry, id) && (id == SentryTypeError) == second
	})
	self := "http://" + r.Host + r.URL.Path
	w.Header().Set("Link", fmt.Sprintf(
		`<%[1]s?&cursor=0:0:1>; rel="previous"; results="%[2]v"; cursor="0:0:1", <%[1]s?&cursor=0:100:0>; rel="next"; results="%[3]v"; cursor="0:100:0"`,
		self, second, !second))
	reply(w, http.StatusOK, page)
}

func (v *Vendors) takeLimit() bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	was := v.limited
	v.limited = false
	return was
}

func (v *Vendors) datadog(w http.ResponseWriter, r *http.Request) {
	world := v.now()
	monitors := []map[string]any{}
	if p := r.URL.Query().Get("page"); p == "" || p == "0" {
		monitors = pick(v.monitors, "id", func(string) bool { return true })
	}
	for _, m := range monitors {
		switch {
		case slices.Contains(world.Datadog, text(m["id"])):
			m["overall_state"] = "Alert"
		case m["overall_state"] != "No Data":
			m["overall_state"] = "OK"
		}
	}
	reply(w, http.StatusOK, monitors)
}

func (v *Vendors) alertmanager(w http.ResponseWriter, _ *http.Request) {
	world := v.now()
	if world.AlertmanagerDown {
		w.WriteHeader(http.StatusServiceUnavailable)
		_, _ = w.Write([]byte("Limit of concurrent GET requests reached"))
		return
	}
	reply(w, http.StatusOK, pick(v.alerts, "fingerprint", func(id string) bool {
		return slices.Contains(world.Alertmanager, id) || suppressed(v.alerts, id)
	}))
}
