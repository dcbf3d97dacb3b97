-- Who reviews pull requests, and with which results, authors and bots excluded?
-- :repo repository = null, only this repository: owner/name
SELECT
  coalesce(max(user_login), '(deleted)') AS reviewer,
  count(*) AS reviews,
  count(DISTINCT thread) AS pull_requests,
  count(*) FILTER (WHERE event = 'approved') AS approved,
  count(*) FILTER (WHERE event = 'changes_requested') AS changes_requested,
  count(*) FILTER (WHERE event = 'commented') AS commented,
  count(*) FILTER (WHERE event = 'dismissed') AS dismissed
FROM answers
WHERE kind = 'review'
  AND (:repo IS NULL OR thread IN (SELECT url FROM pull_requests WHERE full_name = :repo))
GROUP BY user
ORDER BY user IS NULL, reviews DESC, reviewer;
