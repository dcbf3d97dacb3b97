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
expect 'the rate limit', client.rate_limit.limit.positive?

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
