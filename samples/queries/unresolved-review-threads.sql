-- Which review threads are unresolved, and what is their last comment?
WITH comments AS (
  SELECT
    pull_request_review_thread AS thread,
    user,
    user_login,
    body,
    created_at,
    row_number() OVER (
      PARTITION BY pull_request_review_thread ORDER BY unixepoch(created_at) DESC, id DESC
    ) AS place
  FROM pull_request_review_comments
  WHERE state_name IS NOT 'pending'
)
SELECT
  t.full_name,
  t.number,
  t.path,
  t.original_line AS line,
  coalesce((SELECT min(login) FROM people WHERE url = c.user), c.user_login, '(deleted)') AS last_by,
  c.body AS last_words,
  c.created_at AS last_at
FROM pull_request_review_threads AS t
JOIN comments AS c ON c.thread = t.url AND c.place = 1
WHERE t.resolved_at IS NULL
ORDER BY unixepoch(t.created_at), t.id;
