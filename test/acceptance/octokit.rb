# The dialogues of octokit.rb: who am I, feeds, issue events, conditional requests, a whole migration.

require 'octokit'

@count = 0
def expect(what, is_so)
  raise what unless is_so

  @count += 1
end

base = ENV.fetch('BASE')
client = Octokit::Client.new(access_token: ENV.fetch('TOKEN'), api_endpoint: base)
repository = 'mona-lindqvist/tea-timer'

expect 'the caller', client.user.login == 'mona-lindqvist'
expect 'a person', client.user('teo-park').login == 'teo-park'
expect 'a repository', client.repository(repository).full_name == repository
expect 'scopes', client.scopes.include?('repo')
expect 'issues', client.issues(repository, state: 'all').size == 9
client.auto_paginate = true
events = client.repository_issue_events(repository)
expect 'issue events on several pages', events.size > 30
expect 'in order', events.map(&:created_at) == events.map(&:created_at).sort.reverse
expect 'one issue event', client.issue_event(repository, events.first.id).id == events.first.id
expect 'events of an issue', client.issue_events(repository, 4).all?(&:event)
client.auto_paginate = false
expect 'public events', client.public_events.all?(&:type)
expect 'the feed of a repository', client.repository_events(repository).all? { |one| one.repo.name == repository }
expect 'events of a user', client.user_events('mona-lindqvist').all?(&:actor)
expect 'events received', client.received_events('mona-lindqvist').is_a?(Array)
etag = client.last_response.headers['etag']
client.get("#{base}/users/mona-lindqvist/received_events", headers: { 'If-None-Match' => etag })
expect 'not modified', client.last_response.status == 304
link = client.archive_link(repository, ref: 'main', format: 'zipball')
expect 'the files of a branch', Net::HTTP.get(URI(link)).start_with?('PK')
expect 'the rate limit', client.rate_limit.limit.positive?

# What GitLab asks for, in its order.
client.auto_paginate = true
home = client.repository(client.repository(repository).id)
expect 'a repository by its number', home.full_name == repository
expect 'to be cloned from here', home.clone_url.start_with?(base)
expect 'labels', client.labels(repository).all?(&:color)
expect 'milestones', client.milestones(repository, state: 'all').size == 2
pulls = client.pull_requests(repository, state: 'all')
expect 'pull requests with their repositories', pulls.size == 4 && pulls.all? { |one| one.base.repo.id == home.id }
merged = client.pull_request(repository, pulls.find(&:merged_at).number)
expect 'who merged', merged.merged_by.login == 'mona-lindqvist'
reviews = pulls.flat_map { |one| client.pull_request_reviews(repository, one.number) }
expect 'reviews', reviews.any? && reviews.all? { |one| one.state == one.state.upcase }
comments = client.pull_requests_comments(repository)
expect 'review comments with lines', comments.any? && comments.all? { |one| %w[LEFT RIGHT].include?(one.side) }
expect 'comments', client.issues_comments(repository).all?(&:issue_url)
expect 'releases', client.releases(repository).map(&:tag_name).include?('v1.0.0')
branches = client.branches(repository)
guarded = branches.select(&:protected)
rules = client.branch_protection(repository, guarded.first.name)
expect 'the rules of a protected branch', [true, false].include?(rules.allow_force_pushes.enabled)
expect 'collaborators', client.collaborators(repository).map(&:login).include?('mona-lindqvist')
expect 'a timeline', client.issue_timeline(repository, 4).all?(&:event)
expect 'languages', client.languages(repository).to_h.any?
expect 'a commit', client.commit(repository, branches.first.commit.sha).files.all?(&:filename)
expect 'a file', client.contents(repository, path: 'README.md', accept: 'application/vnd.github.raw').start_with?('#')
client.auto_paginate = false

migration = client.start_user_migration([repository], lock_repositories: true)
expect 'pending at first', migration.state == 'pending'
deadline = Time.now + 60
state = nil
until %w[exported failed].include?(state)
  raise 'it is never exported' if Time.now > deadline

  sleep 0.05
  state = client.user_migration_status(migration.id).state
end
expect 'exported in the end', state == 'exported'
expect 'among the migrations', client.user_migrations.map(&:id).include?(migration.id)
expect 'its repositories', client.user_migration_repositories(migration.id).map(&:full_name) == [repository]
address = client.user_migration_archive_url(migration.id)
archive = Net::HTTP.get(URI(address))
expect 'a gzip archive', archive.byteslice(0, 2).bytes == [0x1f, 0x8b]
client.unlock_user_repository(migration.id, 'tea-timer')
begin
  client.unlock_user_repository(migration.id, 'tea-timer')
  raise 'unlocked twice'
rescue Octokit::NotFound
  expect '404 for what is not locked', true
end
client.delete_user_migration_archive(migration.id)
begin
  Octokit::Client.new(access_token: 'wrong', api_endpoint: base).user
  raise 'a wrong token is taken'
rescue Octokit::Unauthorized
  expect '401 for a wrong token', true
end
begin
  Octokit::Client.new(login: 'mona-lindqvist', password: ENV.fetch('PASSWORD'), api_endpoint: base)
    .post("#{base}/authorizations", scopes: ['repo'], note: 'octokit.rb')
  raise 'no one-time password was asked for'
rescue Octokit::OneTimePasswordRequired => e
  expect 'a one-time password is asked for', e.password_delivery == 'app'
end
puts @count
