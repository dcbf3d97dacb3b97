-- Who came when? Everybody's first issue, pull request, comment or review, the newest people first.
-- :limit = 50, so many at most
-- :repo = null, only this repository: owner/name
WITH came AS (
  SELECT user, user_login AS login, min(created_at) AS at, kind, thread -- min() also picks kind and thread
  FROM timeline
  WHERE kind != 'event'
    AND user IS NOT NULL
    AND user NOT IN (SELECT url FROM bots)
    AND (:repo IS NULL OR thread IN (SELECT url FROM threads WHERE full_name = :repo))
  GROUP BY user
  ORDER BY at DESC, login
  LIMIT +:limit
)
SELECT c.login, substr(c.at, 1, 10) AS first_seen, c.kind AS by, t.full_name, t.number
FROM came AS c
LEFT JOIN threads AS t ON t.url = c.thread
ORDER BY c.at DESC, c.login;
