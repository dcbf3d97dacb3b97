-- What happens in each month: issues and pull requests opened, comments, reviews, merges?
-- :repo = null, only this repository: owner/name
SELECT
  substr(created_at, 1, 7) AS month,
  sum(kind = 'opened' AND thread LIKE '%/issues/%') AS issues,
  sum(kind = 'opened' AND thread LIKE '%/pull/%') AS pull_requests,
  sum(kind IN ('comment', 'review_comment')) AS comments,
  sum(kind = 'review') AS reviews,
  sum(event IS 'merged') AS merges,
  count(DISTINCT user) AS people
FROM timeline
WHERE :repo IS NULL OR thread IN (SELECT url FROM threads WHERE full_name = :repo)
GROUP BY month
ORDER BY month;
