-- Who came when? Everybody's first issue, pull request, comment or review, the newest people first.
-- :limit = 50, so many at most
-- :repo = null, only this repository: owner/name
SELECT
  user_login AS login,
  substr(min(created_at), 1, 10) AS first_seen, -- which also picks the thread
  kind AS by,
  full_name,
  number
FROM timeline
WHERE kind != 'event'
  AND user IS NOT NULL
  AND user NOT IN (SELECT url FROM bots)
  AND (:repo IS NULL OR full_name = :repo)
GROUP BY user
ORDER BY first_seen DESC, login
LIMIT +:limit;
