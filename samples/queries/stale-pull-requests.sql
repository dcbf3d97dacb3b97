-- Which open pull requests has nobody touched in the last days that the archive covers?
-- :days = 60, so many days
-- :repo = null, only this repository: owner/name
WITH newest AS (SELECT max(created_at) AS at FROM timeline),
last_touched AS (SELECT thread, max(created_at) AS at FROM timeline GROUP BY thread)
SELECT
  p.full_name,
  p.number,
  p.user_login,
  CAST(julianday(newest.at) - julianday(l.at) AS INTEGER) AS days_untouched,
  CASE p.work_in_progress WHEN 1 THEN 'draft' ELSE 'ready' END AS readiness,
  (
    SELECT group_concat(r.reviewer, ', ')
    FROM pull_requests_review_requests AS r
    WHERE r.pull_request = p.url
  ) AS waits_for,
  p.title
FROM pull_requests AS p
JOIN last_touched AS l ON l.thread = p.url, newest
WHERE p.state = 'open' AND julianday(newest.at) - julianday(l.at) > :days
  AND (:repo IS NULL OR p.full_name = :repo)
ORDER BY days_untouched DESC;
