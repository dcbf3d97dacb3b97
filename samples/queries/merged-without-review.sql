-- Which pull requests were merged without a review by anyone but their author?
-- :repo repository = null, only this repository: owner/name
SELECT
  p.full_name,
  p.number,
  substr(p.merged_at, 1, 10) AS merged,
  coalesce(p.user_login, '(deleted)') AS user_login,
  p.title
FROM threads AS p
WHERE p.state = 'merged'
  AND (:repo IS NULL OR p.full_name = :repo)
  AND NOT EXISTS (
    SELECT 1
    FROM answers AS r
    WHERE r.thread = p.url AND r.kind IN ('review', 'review_comment') AND r.created_at <= p.merged_at
  )
ORDER BY p.merged_at DESC, p.url;
