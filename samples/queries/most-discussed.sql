-- Which issues and pull requests have the most comments, and by how many people?
SELECT
  t.full_name,
  t.number,
  t.kind,
  t.state,
  count(*) AS comments,
  count(DISTINCT c.user) AS people,
  t.title
FROM threads AS t
JOIN timeline AS c ON c.thread = t.url AND c.kind IN ('comment', 'review_comment')
GROUP BY t.url
ORDER BY comments DESC, people DESC, t.url
LIMIT 20;
