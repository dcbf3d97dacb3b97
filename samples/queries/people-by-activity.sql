-- How much has each person opened, commented on and reviewed, and since when?
-- :repo repository = null, only this repository: owner/name
WITH chosen AS MATERIALIZED ( -- once, and not for each table of the timeline
  SELECT url FROM threads WHERE full_name = :repo
),
active AS (
  SELECT
    user,
    max(user_login) AS login,
    max(by_bot) AS by_bot,
    count(*) AS did,
    sum(kind = 'opened') AS opened,
    sum(kind = 'comment') AS comments,
    sum(kind = 'review') AS reviews,
    sum(kind = 'review_comment') AS review_comments,
    substr(min(created_at), 1, 10) AS first_seen,
    substr(max(created_at), 1, 10) AS last_seen
  FROM timeline
  WHERE kind != 'event'
    AND event IS NOT 'pending'
    AND (:repo IS NULL OR thread IN (SELECT url FROM chosen))
  GROUP BY user
)
SELECT
  coalesce(login, '(deleted)') AS login,
  CASE
    WHEN user IS NULL THEN 'deleted accounts'
    WHEN by_bot THEN 'bot'
    ELSE coalesce((SELECT min(p.kind) FROM people AS p WHERE p.url = active.user), 'not in the archive')
  END AS who,
  opened,
  comments,
  reviews,
  review_comments,
  first_seen,
  last_seen
FROM active
ORDER BY user IS NULL, did DESC, login;
