-- What happened in one issue or pull request, in order?
-- :full_name repository, the repository: owner/name
-- :number thread, the number of the issue or pull request
SELECT
  created_at,
  coalesce(user_login, '(deleted)') AS user_login,
  coalesce(event, kind) AS what,
  body
FROM timeline
WHERE thread IN (SELECT url FROM threads WHERE number = :number AND full_name = :full_name)
-- The ids at the end of urls grow, but as texts #event-9 would come after #event-10.
ORDER BY created_at IS NULL, created_at, kind != 'opened', kind = 'event', length(url), url;
