-- Which issues have been open for longest? Age counts up to the newest thing in the archive.
-- :repo = null, only this repository: owner/name
WITH newest AS (SELECT max(created_at) AS at FROM timeline)
SELECT
  full_name,
  number,
  CAST(julianday(newest.at) - julianday(created_at) AS INTEGER) AS days_open,
  user_login,
  title
FROM issues, newest
WHERE state = 'open' AND (:repo IS NULL OR full_name = :repo)
ORDER BY created_at;
