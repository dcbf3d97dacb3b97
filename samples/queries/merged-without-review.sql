-- Which pull requests were merged although nobody but their author had reviewed them?
-- :repo = null, only this repository: owner/name
SELECT p.full_name, p.number, substr(p.merged_at, 1, 10) AS merged, p.user_login, p.title
FROM pull_requests AS p
WHERE p.state = 'merged'
  AND (:repo IS NULL OR p.full_name = :repo)
  AND NOT EXISTS (
    SELECT 1
    FROM pull_request_reviews AS r
    WHERE r.pull_request = p.url AND r.user IS NOT p.user AND r.created_at <= p.merged_at
  )
ORDER BY p.merged_at DESC, p.url;
