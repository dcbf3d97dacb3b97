-- Who reviewed whose pull requests, and with which results, reviews by bots excluded?
-- :repo repository = null, only this repository: owner/name
SELECT
  coalesce(max(a.user_login), '(deleted)') AS reviewer,
  coalesce(max(p.user_login), '(deleted)') AS author,
  count(DISTINCT p.url) AS pull_requests,
  count(*) AS reviews,
  count(*) FILTER (WHERE a.event = 'approved') AS approved,
  count(*) FILTER (WHERE a.event = 'changes_requested') AS changes_requested
FROM answers AS a
JOIN threads AS p ON p.url = a.thread
WHERE a.kind = 'review' AND (:repo IS NULL OR p.full_name = :repo)
GROUP BY a.user, p.user
ORDER BY a.user IS NULL OR p.user IS NULL, pull_requests DESC, reviews DESC, reviewer, author;
