-- What do people feel about issues and pull requests? Reactions to their descriptions, by sign.
SELECT
  t.full_name,
  t.number,
  count(*) AS reactions,
  sum(r.content = '+1') AS "+1",
  sum(r.content = '-1') AS "-1",
  sum(r.content IN ('heart', 'tada', 'rocket')) AS joy,
  sum(r.content = 'smile') AS smile,
  sum(r.content IN ('eyes', 'thinking_face')) AS wonder,
  t.title
FROM reactions AS r
JOIN threads AS t ON t.url = r.subject
GROUP BY t.url
ORDER BY reactions DESC, t.url;
