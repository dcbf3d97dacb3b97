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
-- What has no time comes first, as on February 30, which SQLite takes for March 2; within a second, reviews precede what
-- follows from them. The ids at the end of urls grow; a comment may have the url of another thread.
ORDER BY
  kind != 'opened',
  CASE WHEN date(substr(created_at, 1, 10)) = substr(created_at, 1, 10) THEN unixepoch(created_at) END,
  CASE kind WHEN 'review' THEN 0 WHEN 'review_comment' THEN 1 WHEN 'comment' THEN 2 ELSE 3 END,
  CAST(substr(url, length(rtrim(url, '0123456789')) + 1) AS INTEGER),
  url;
