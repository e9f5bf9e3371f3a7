package main

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"github.com/ringonce/ringonce/internal/explain"
	"github.com/ringonce/ringonce/internal/pages"
	"github.com/ringonce/ringonce/internal/silence"
)

// handler answers a request of a function URL with a page.
type handler struct {
	log       *slog.Logger
	checker   *pages.Checker
	explainer *explain.Explainer
	// now returns the time of a request, which decides what has expired: an execution
	// environment lives for hours.
	now      func() time.Time
	silences silences
}

// silences reads the stored silences, by which a page explains why nobody was
// notified.
type silences interface {
	Silences(ctx context.Context) (silence.Set, error)
}

type (
	request  = events.LambdaFunctionURLRequest
	response = events.LambdaFunctionURLResponse
)

// handle reads only the method and the path of a request: no header, no cookie, no
// body. Every request that does not verify gets the same bytes. No path and no link
// is logged, so that access to the logs gives no access to pages.
//
// An error means that no page can be shown now; Lambda then answers 502 without its
// text.
func (h handler) handle(ctx context.Context, r request) (response, error) {
	method := r.RequestContext.HTTP.Method
	claim, ok, err := h.checker.Check(ctx, r.RawPath)
	if err != nil {
		return response{}, fmt.Errorf("check the link to a page: %w", err)
	}
	if !ok || r.RawQueryString != "" || (method != http.MethodGet && method != http.MethodHead) {
		h.log.DebugContext(ctx, "page", "status", http.StatusNotFound)
		return answer(method, http.StatusNotFound, notFound), nil
	}
	page, found, err := h.page(ctx, claim)
	if err != nil {
		return response{}, fmt.Errorf("show episode %d of incident %s: %w", claim.Episode, claim.Key, err)
	}
	h.log.InfoContext(ctx, "page", "status", http.StatusOK, "incident_key", claim.Key, "episode", claim.Episode, "found", found)
	if !found {
		return answer(method, http.StatusNotFound, notFound), nil
	}
	return answer(method, http.StatusOK, page), nil
}

// maxPage is the largest page, in bytes. A function's answer may have 6 MB, including
// JSON escapes ("Lambda quotas" in the Lambda Developer Guide).
const maxPage = 4 << 20

// page renders the incident that a link names; found is false when nothing of it is
// left.
func (h handler) page(ctx context.Context, c pages.Claim) (html string, found bool, err error) {
	rep, err := h.explaining(ctx).Explain(ctx, explain.Found{Key: c.Key, By: explain.ByKey, Episode: c.Episode}, explain.Query{Episode: c.Episode})
	if err != nil || (len(rep.Timeline) == 0 && len(rep.Deliveries) == 0) {
		return "", false, err
	}
	rep.Narrow(c.Episode)
	var b strings.Builder
	if err := rep.WriteHTML(&b); err != nil {
		return "", false, err
	}
	return fitting(b.String()), true, nil
}

// explaining returns the explainer as of now, with the stored silences. A page shows
// only the id of a silence that cannot be read.
func (h handler) explaining(ctx context.Context) *explain.Explainer {
	x := *h.explainer
	x.Now = h.now()
	stored, err := h.silences.Silences(ctx)
	if err != nil {
		h.log.WarnContext(ctx, "silences cannot be read; a page does not say why they were made", "error", err.Error())
	}
	if x.Config != nil {
		stored = slices.Concat(x.Config.Silences, stored)
	}
	x.Silences = stored
	return &x
}

func fitting(page string) string {
	if len(page) > maxPage {
		return tooLong
	}
	return page
}
