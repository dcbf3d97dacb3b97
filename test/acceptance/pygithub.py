"""The dialogues of PyGithub: who am I, feeds, issue events, a whole migration."""

import os
import time
import urllib.request

from github import Github, GithubException

hub = Github(os.environ["TOKEN"], base_url=os.environ["BASE"])
count = 0


def expect(what, is_so):
    global count
    assert is_so, what
    count += 1


me = hub.get_user()
expect("the caller", me.login == "mona-lindqvist" and isinstance(me.id, int))
expect("a person", hub.get_user("teo-park").login == "teo-park")
named = hub.get_user("mona-lindqvist")
repository = hub.get_repo("mona-lindqvist/tea-timer")
expect("a repository", repository.full_name == "mona-lindqvist/tea-timer")
expect("its owner", repository.owner.login == "mona-lindqvist")
expect("its permissions", repository.permissions.admin)
issues = list(repository.get_issues(state="all"))
expect("issues and pull requests", len(issues) == 9)
expect("one issue", repository.get_issue(4).number == 4)
events = list(repository.get_issues_events())
expect("issue events on several pages", len(events) > 30)
expect("one issue event", repository.get_issues_event(events[0].id).event == events[0].event)
expect("events of an issue", all(event.url for event in repository.get_issue(4).get_events()))
expect("the feed of a repository", all(event.created_at for event in repository.get_events()))
expect("public events", all(event.type for event in hub.get_events()))
expect("events of a user", all(event.actor for event in me.get_events()))
expect("events received", all(event.repo for event in named.get_received_events()))
link = repository.get_archive_link("tarball", "main")
expect("the files of a branch", urllib.request.urlopen(link).read(2) == b"\x1f\x8b")
expect("the rate limit", hub.get_rate_limit().core.limit > 0)

migration = me.create_migration(["mona-lindqvist/tea-timer"], lock_repositories=True)
expect("pending at first", migration.state == "pending" and migration.lock_repositories)
deadline = time.monotonic() + 60
while migration.get_status() not in ("exported", "failed"):
    assert time.monotonic() < deadline, "it is never exported"
    time.sleep(0.05)
expect("exported in the end", migration.state == "exported")
expect("among the migrations", migration.id in [one.id for one in me.get_migrations()])
address = migration.get_archive_url()
archive = urllib.request.urlopen(address).read()
expect("a gzip archive", archive[:2] == b"\x1f\x8b")
migration.unlock_repo("tea-timer")
try:
    migration.unlock_repo("tea-timer")
    raise AssertionError("unlocked twice")
except GithubException as error:
    expect("404 for what is not locked", error.status == 404)
migration.delete()
try:
    migration.get_archive_url()
    raise AssertionError("an archive after it was deleted")
except GithubException as error:
    expect("404 for an archive that is gone", error.status == 404)
try:
    Github("wrong", base_url=os.environ["BASE"]).get_user().login
    raise AssertionError("a wrong token is taken")
except GithubException as error:
    expect("401 for a wrong token", error.status == 401)
print(count)
