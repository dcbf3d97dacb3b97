-- Who does what? Everybody who opened, commented or reviewed something, and since when.
-- :repo = null, only this repository: owner/name
WITH active AS (
  SELECT
    user,
    max(user_login) AS login,
    count(*) AS did,
    sum(kind = 'opened') AS opened,
    sum(kind = 'comment') AS comments,
    sum(kind = 'review') AS reviews,
    sum(kind = 'review_comment') AS review_comments,
    substr(min(created_at), 1, 10) AS first_seen,
    substr(max(created_at), 1, 10) AS last_seen
  FROM timeline
  WHERE kind != 'event'
    AND (:repo IS NULL OR thread IN (SELECT url FROM threads WHERE full_name = :repo))
  GROUP BY user
)
SELECT
  a.login,
  CASE
    WHEN a.user IS NULL THEN 'deleted account'
    ELSE coalesce(p.kind, 'not in the archive')
  END AS who,
  a.opened,
  a.comments,
  a.reviews,
  a.review_comments,
  a.first_seen,
  a.last_seen
FROM active AS a
LEFT JOIN people AS p ON p.url = a.user
ORDER BY a.did DESC, a.login;
