-- Who does what? Everybody who opened, commented or reviewed something, and since when.
-- :repo = null, only this repository: owner/name
SELECT
  t.user_login AS login,
  CASE
    WHEN t.user IS NULL THEN 'deleted account'
    ELSE coalesce(p.kind, 'not in the archive')
  END AS who,
  sum(t.kind = 'opened') AS opened,
  sum(t.kind = 'comment') AS comments,
  sum(t.kind = 'review') AS reviews,
  sum(t.kind = 'review_comment') AS review_comments,
  substr(min(t.created_at), 1, 10) AS first_seen,
  substr(max(t.created_at), 1, 10) AS last_seen
FROM timeline AS t
LEFT JOIN people AS p ON p.url = t.user
WHERE t.kind != 'event' AND (:repo IS NULL OR t.full_name = :repo)
GROUP BY t.user
ORDER BY count(*) DESC, login;
