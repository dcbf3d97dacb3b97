-- Which issues and pull requests have the most comments, and from how many people, bots excluded?
-- :limit number = 20, maximum number of rows
-- :repo repository = null, only this repository: owner/name
SELECT
  t.full_name,
  t.number,
  t.kind,
  t.state,
  count(*) AS comments,
  count(DISTINCT coalesce(c.user, '')) AS people, -- all deleted accounts together are one
  t.title
FROM threads AS t
JOIN timeline AS c ON c.thread = t.url
WHERE c.kind IN ('comment', 'review_comment')
  AND c.event IS NOT 'pending'
  AND NOT c.by_bot
  AND (:repo IS NULL OR t.full_name = :repo)
GROUP BY t.url, t.full_name, t.number, t.kind, t.state, t.title
ORDER BY comments DESC, people DESC, t.url
LIMIT +:limit;
