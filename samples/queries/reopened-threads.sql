-- Which issues and pull requests were reopened, and how often?
-- :repo repository = null, only this repository: owner/name
SELECT
  t.full_name,
  t.number,
  t.kind,
  t.state,
  count(*) AS times,
  substr(max(e.created_at), 1, 10) AS last_reopened,
  t.title
FROM threads AS t
JOIN timeline AS e ON e.thread = t.url AND e.event = 'reopened'
WHERE :repo IS NULL OR t.full_name = :repo
GROUP BY t.url, t.full_name, t.number, t.kind, t.state, t.title
ORDER BY times DESC, last_reopened DESC, t.full_name, t.number;
