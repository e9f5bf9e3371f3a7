// Package browsertest opens pages in a real, headless Chromium and tells what
// came of it: the page as it stands in the end, and every address that was asked
// for. Its tests and those that use it have the build tag browser.
package browsertest
