// Package browsertest opens pages in a real, headless Chromium and reports the
// result: the final page, and every address that was requested. Its tests and those
// that use it have the build tag browser.
package browsertest
