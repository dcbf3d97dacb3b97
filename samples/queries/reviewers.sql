-- Who reviews, and with which verdicts? Replies of the authors themselves do not count.
-- :repo = null, only this repository: owner/name
SELECT
  r.user_login AS reviewer,
  count(*) AS reviews,
  count(DISTINCT r.pull_request) AS pull_requests,
  sum(r.state_name = 'approved') AS approved,
  sum(r.state_name = 'changes_requested') AS changes_requested,
  sum(r.state_name = 'commented') AS commented
FROM pull_request_reviews AS r
JOIN pull_requests AS p ON p.url = r.pull_request
WHERE r.user IS NOT p.user AND (:repo IS NULL OR r.full_name = :repo)
GROUP BY reviewer
ORDER BY reviews DESC, reviewer;
