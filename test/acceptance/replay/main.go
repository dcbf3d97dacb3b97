// The calls of an importer, in its order, through go-github: everything of one repository, page by page. Every fact that
// arrives is a line of JSON on standard output.
package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/google/go-github/github"
)

const perPage = 100

var (
	ctx         = context.Background()
	client      *github.Client
	owner, name string
	lines       = json.NewEncoder(os.Stdout)
	calls       int
)

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "after", calls, "calls:", err)
		os.Exit(1)
	}
	calls++
}

func tell(fact ...interface{}) { must(lines.Encode(fact)); calls-- }

func at(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

func when(t *time.Time) string {
	if t == nil {
		return ""
	}
	return at(*t)
}

func sum(bytes []byte) string {
	hash := sha256.Sum256(bytes)
	return hex.EncodeToString(hash[:])
}

// The pages of a list, until one is empty.
func untilEmpty(ask func(page *github.ListOptions) int) {
	for i := 1; ; i++ {
		if ask(&github.ListOptions{Page: i, PerPage: perPage}) == 0 {
			return
		}
	}
}

// The pages of a list, until one is not full.
func untilShort(ask func(page github.ListOptions) int) {
	for i := 1; ; i++ {
		if ask(github.ListOptions{Page: i, PerPage: perPage}) < perPage {
			return
		}
	}
}

type listReactions func(page *github.ListOptions) ([]*github.Reaction, *github.Response, error)

func reactions(kind string, id int64, list listReactions) {
	untilEmpty(func(page *github.ListOptions) int {
		some, _, err := list(page)
		must(err)
		for _, reaction := range some {
			tell("reaction", kind, id, reaction.GetUser().GetLogin(), reaction.GetContent())
		}
		return len(some)
	})
}

func ofIssue(number int) {
	reactions("issue", int64(number), func(page *github.ListOptions) ([]*github.Reaction, *github.Response, error) {
		return client.Reactions.ListIssueReactions(ctx, owner, name, number, page)
	})
}

func labelsOf(labels []*github.Label) []string {
	names := []string{}
	for _, label := range labels {
		names = append(names, label.GetName())
	}
	return names
}

func loginsOf(users []*github.User) []string {
	logins := []string{}
	for _, user := range users {
		logins = append(logins, user.GetLogin())
	}
	return logins
}

func main() {
	base := os.Getenv("BASE")
	owner, name, _ = strings.Cut(os.Getenv("REPOSITORY"), "/")
	transport := github.BasicAuthTransport{Username: owner, Password: os.Getenv("TOKEN")}
	var err error
	client, err = github.NewEnterpriseClient(base, base, transport.Client())
	must(err)
	_, _, err = client.RateLimits(ctx)
	must(err)

	repository, _, err := client.Repositories.Get(ctx, owner, name)
	must(err)
	if repository.GetCloneURL() != base+"/"+owner+"/"+name+".git" {
		must(fmt.Errorf("to be cloned from %s", repository.GetCloneURL()))
	}
	topics := append([]string{}, repository.Topics...)
	tell("repository", repository.GetName(), repository.GetDescription(), repository.GetPrivate(), repository.GetDefaultBranch(), topics)

	untilShort(func(page github.ListOptions) int {
		some, _, err := client.Issues.ListMilestones(ctx, owner, name, &github.MilestoneListOptions{State: "all", ListOptions: page})
		must(err)
		for _, m := range some {
			tell("milestone", m.GetTitle(), m.GetDescription(), m.GetState(), at(m.GetCreatedAt()), when(m.ClosedAt), when(m.DueOn))
		}
		return len(some)
	})
	untilShort(func(page github.ListOptions) int {
		some, _, err := client.Issues.ListLabels(ctx, owner, name, &page)
		must(err)
		for _, label := range some {
			tell("label", label.GetName(), label.GetColor(), label.GetDescription())
		}
		return len(some)
	})
	untilShort(func(page github.ListOptions) int {
		some, _, err := client.Repositories.ListReleases(ctx, owner, name, &page)
		must(err)
		for _, release := range some {
			releaseArrived(release)
		}
		return len(some)
	})
	untilShort(func(page github.ListOptions) int {
		some, _, err := client.Issues.ListByRepo(ctx, owner, name, &github.IssueListByRepoOptions{Sort: "created", Direction: "asc", State: "all", ListOptions: page})
		must(err)
		for _, issue := range some {
			if issue.IsPullRequest() {
				continue
			}
			tell("issue", issue.GetNumber(), issue.GetTitle(), issue.GetBody(), issue.GetUser().GetLogin(), issue.GetState(), at(issue.GetCreatedAt()), when(issue.ClosedAt), issue.GetMilestone().GetTitle(), labelsOf(issue.Labels), loginsOf(issue.Assignees))
			ofIssue(issue.GetNumber())
		}
		return len(some)
	})
	created, asc := "created", "asc"
	for page := 1; page != 0; {
		some, response, err := client.Issues.ListComments(ctx, owner, name, 0, &github.IssueListCommentsOptions{Sort: &created, Direction: &asc, ListOptions: github.ListOptions{Page: page, PerPage: perPage}})
		must(err)
		for _, comment := range some {
			url := comment.GetIssueURL()
			thread, err := strconv.Atoi(url[strings.LastIndex(url, "/")+1:])
			if err != nil {
				must(err)
			}
			id := comment.GetID()
			tell("comment", id, thread, comment.GetUser().GetLogin(), comment.GetBody(), at(comment.GetCreatedAt()))
			reactions("comment", id, func(page *github.ListOptions) ([]*github.Reaction, *github.Response, error) {
				return client.Reactions.ListIssueCommentReactions(ctx, owner, name, id, page)
			})
		}
		page = response.NextPage
	}
	var pulls []int
	untilShort(func(page github.ListOptions) int {
		some, _, err := client.PullRequests.List(ctx, owner, name, &github.PullRequestListOptions{Sort: "created", Direction: "asc", State: "all", ListOptions: page})
		must(err)
		for _, pull := range some {
			pullArrived(base, pull)
			pulls = append(pulls, pull.GetNumber())
		}
		return len(some)
	})
	for _, number := range pulls {
		reviewsOf(number)
	}
	fmt.Fprintln(os.Stderr, calls)
}

func releaseArrived(release *github.RepositoryRelease) {
	published := ""
	if release.PublishedAt != nil {
		published = at(release.PublishedAt.Time)
	}
	tell("release", release.GetTagName(), release.GetName(), release.GetBody(), release.GetAuthor().GetLogin(), release.GetDraft(), release.GetPrerelease(), release.GetTargetCommitish(), at(release.GetCreatedAt().Time), published)
	for _, asset := range release.Assets {
		// Importers take these without a look: they may not be null.
		size, updated := *asset.Size, asset.UpdatedAt.Time
		_, _ = *asset.DownloadCount, updated
		hash := ""
		if size > 0 {
			body, redirect, err := client.Repositories.DownloadReleaseAsset(ctx, owner, name, asset.GetID(), http.DefaultClient)
			must(err)
			if body == nil {
				must(fmt.Errorf("redirected to %s", redirect))
			}
			bytes, err := io.ReadAll(body)
			must(err)
			body.Close()
			hash = sum(bytes)
		}
		tell("asset", release.GetTagName(), asset.GetName(), asset.GetContentType(), asset.GetUploader().GetLogin(), size, hash, at(asset.GetCreatedAt().Time))
	}
}

func pullArrived(base string, pull *github.PullRequest) {
	if !strings.HasPrefix(pull.GetPatchURL(), base+"/") {
		must(fmt.Errorf("a patch at %s", pull.GetPatchURL()))
	}
	head, foot := pull.GetHead(), pull.GetBase()
	tell("pull", pull.GetNumber(), pull.GetTitle(), pull.GetBody(), pull.GetUser().GetLogin(), pull.GetState(), at(pull.GetCreatedAt()), when(pull.ClosedAt), pull.GetMilestone().GetTitle(), labelsOf(pull.Labels), loginsOf(pull.Assignees), when(pull.MergedAt), pull.GetMergeCommitSHA(), head.GetRef(), head.GetSHA(), userOf(head), foot.GetRef(), foot.GetSHA(), userOf(foot))
	ofIssue(pull.GetNumber())
}

// A branch of somebody who is gone has no user.
func userOf(branch *github.PullRequestBranch) string {
	if branch.User == nil {
		return "ghost"
	}
	return branch.GetUser().GetLogin()
}

func reviewsOf(number int) {
	for page := 1; page != 0; {
		some, response, err := client.PullRequests.ListReviews(ctx, owner, name, number, &github.ListOptions{Page: page, PerPage: perPage})
		must(err)
		for _, review := range some {
			tell("review", number, review.GetID(), review.GetUser().GetLogin(), review.GetState(), review.GetBody(), review.GetCommitID(), at(review.GetSubmittedAt()))
			commentsOf(number, review.GetID())
		}
		page = response.NextPage
	}
	reviewers, _, err := client.PullRequests.ListReviewers(ctx, owner, name, number, &github.ListOptions{PerPage: perPage})
	must(err)
	for _, user := range reviewers.Users {
		tell("requested", number, user.GetLogin())
	}
}

func commentsOf(number int, review int64) {
	for page := 1; page != 0; {
		some, response, err := client.PullRequests.ListReviewComments(ctx, owner, name, number, review, &github.ListOptions{Page: page, PerPage: perPage})
		must(err)
		for _, c := range some {
			id := c.GetID()
			tell("review comment", number, c.GetPullRequestReviewID(), id, c.GetUser().GetLogin(), c.GetBody(), c.GetPath(), sum([]byte(c.GetDiffHunk())), c.GetPosition(), c.GetCommitID(), c.GetInReplyTo(), at(c.GetCreatedAt()))
			reactions("review comment", id, func(page *github.ListOptions) ([]*github.Reaction, *github.Response, error) {
				return client.Reactions.ListPullRequestCommentReactions(ctx, owner, name, id, page)
			})
		}
		page = response.NextPage
	}
}
