-- Which review threads did nobody settle, and what was said last?
SELECT
  t.full_name,
  t.number,
  t.path,
  t.original_line AS line,
  c.user_login AS last_by,
  c.body AS last_words,
  max(c.created_at) AS last_at -- which also picks the comment
FROM pull_request_review_threads AS t
JOIN pull_request_review_comments AS c ON c.pull_request_review_thread = t.url
WHERE t.resolved_at IS NULL
GROUP BY t.url
ORDER BY t.created_at;
