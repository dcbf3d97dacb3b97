-- Which issues have been open longest, as of the newest record in the archive?
-- :repo repository = null, only this repository: owner/name
WITH newest AS (
  SELECT max(day) AS day
  FROM (
    SELECT max(julianday(created_at)) AS day FROM timeline
    UNION ALL SELECT max(julianday(closed_at)) FROM threads
    UNION ALL SELECT max(julianday(merged_at)) FROM threads
  )
)
SELECT
  full_name,
  number,
  CAST(newest.day - julianday(created_at) AS INTEGER) AS days_open,
  coalesce(user_login, '(deleted)') AS user_login,
  title
FROM threads, newest
WHERE kind = 'issue' AND state = 'open' AND (:repo IS NULL OR full_name = :repo)
ORDER BY created_at, full_name, number;
