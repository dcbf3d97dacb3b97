// The dialogues of go-github: who am I, feeds, issue events, a whole migration.
package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"time"

	"github.com/google/go-github/github"
)

var count int

func expect(what string, isSo bool, err error) {
	if err != nil || !isSo {
		fmt.Fprintln(os.Stderr, what, err)
		os.Exit(1)
	}
	count++
}

func main() {
	ctx := context.Background()
	base := os.Getenv("BASE") + "/api/v3/"
	tp := github.BasicAuthTransport{Username: "mona-lindqvist", Password: os.Getenv("TOKEN")}
	client, err := github.NewEnterpriseClient(base, base, tp.Client())
	expect("a client", true, err)

	me, _, err := client.Users.Get(ctx, "")
	expect("the caller", err == nil && me.GetLogin() == "mona-lindqvist", err)
	repository, _, err := client.Repositories.Get(ctx, "mona-lindqvist", "tea-timer")
	expect("a repository", err == nil && repository.GetFullName() == "mona-lindqvist/tea-timer", err)
	issues, _, err := client.Issues.ListByRepo(ctx, "mona-lindqvist", "tea-timer", &github.IssueListByRepoOptions{State: "all"})
	expect("issues and pull requests", len(issues) == 9, err)
	link, _, err := client.Repositories.GetArchiveLink(ctx, "mona-lindqvist", "tea-timer", github.Tarball, nil, true)
	expect("the files of a branch", err == nil && link.Path != "", err)
	var events []*github.IssueEvent
	page := &github.ListOptions{PerPage: 20}
	for {
		some, response, err := client.Issues.ListRepositoryEvents(ctx, "mona-lindqvist", "tea-timer", page)
		expect("a page of issue events", len(some) > 0, err)
		events = append(events, some...)
		if response.NextPage == 0 {
			break
		}
		page.Page = response.NextPage
	}
	one, _, err := client.Issues.GetEvent(ctx, "mona-lindqvist", "tea-timer", events[0].GetID())
	expect("one issue event", err == nil && one.GetEvent() == events[0].GetEvent(), err)
	_, _, err = client.Issues.ListIssueEvents(ctx, "mona-lindqvist", "tea-timer", 4, nil)
	expect("events of an issue", true, err)
	feed, _, err := client.Activity.ListRepositoryEvents(ctx, "mona-lindqvist", "tea-timer", nil)
	expect("the feed of a repository", true, err)
	for _, event := range feed {
		_, err := event.ParsePayload()
		expect("a payload", true, err)
	}
	_, _, err = client.Activity.ListEventsReceivedByUser(ctx, "mona-lindqvist", false, nil)
	expect("events received", true, err)

	started, _, err := client.Migrations.StartUserMigration(ctx, []string{"mona-lindqvist/tea-timer"}, &github.UserMigrationOptions{LockRepositories: true})
	expect("pending at first", err == nil && started.GetState() == "pending", err)
	state := ""
	for deadline := time.Now().Add(time.Minute); state != "exported" && time.Now().Before(deadline); {
		time.Sleep(50 * time.Millisecond)
		status, _, err := client.Migrations.UserMigrationStatus(ctx, started.GetID())
		expect("its state", true, err)
		state = status.GetState()
		count--
	}
	expect("exported in the end", state == "exported", nil)
	address, err := client.Migrations.UserMigrationArchiveURL(ctx, started.GetID())
	expect("an address", address != "", err)
	response, err := http.Get(address)
	expect("the archive", err == nil && response.StatusCode == 200, err)
	archive, err := io.ReadAll(response.Body)
	expect("a gzip archive", len(archive) > 2 && archive[0] == 0x1f && archive[1] == 0x8b, err)
	_, err = client.Migrations.UnlockUserRepo(ctx, started.GetID(), "tea-timer")
	expect("unlocked", true, err)
	_, err = client.Migrations.DeleteUserMigration(ctx, started.GetID())
	expect("deleted", true, err)
	fmt.Println(count)
}
