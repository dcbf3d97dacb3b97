-- When did each person first open, comment on or review something, newest people first?
-- :limit number = 50, maximum number of rows
-- :repo repository = null, only this repository: owner/name
WITH did AS (
  SELECT
    user,
    user_login AS login,
    created_at AS at,
    kind,
    thread,
    row_number() OVER (PARTITION BY user ORDER BY created_at, kind != 'opened', length(url), url) AS place
  FROM timeline
  WHERE kind != 'event'
    AND event IS NOT 'pending'
    AND NOT by_bot
    AND user IS NOT NULL -- deleted accounts cannot be told apart
    AND created_at IS NOT NULL
    AND (:repo IS NULL OR thread IN (SELECT url FROM threads WHERE full_name = :repo))
)
SELECT d.login, substr(d.at, 1, 10) AS first_seen, d.kind AS by, t.full_name, t.number
FROM did AS d
LEFT JOIN threads AS t ON t.url = d.thread
WHERE d.place = 1
ORDER BY d.at DESC, d.login, d.user
LIMIT +:limit;
