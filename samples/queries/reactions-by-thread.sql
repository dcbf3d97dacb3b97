-- Which reactions did the descriptions of issues and pull requests get?
SELECT
  t.full_name,
  t.number,
  count(*) AS reactions,
  count(*) FILTER (WHERE r.content = '+1') AS "+1",
  count(*) FILTER (WHERE r.content = '-1') AS "-1",
  count(*) FILTER (WHERE r.content IN ('heart', 'tada', 'hooray', 'rocket')) AS joy,
  count(*) FILTER (WHERE r.content IN ('smile', 'laugh')) AS smile,
  count(*) FILTER (WHERE r.content IN ('eyes', 'thinking_face', 'confused')) AS wonder,
  t.title
FROM reactions AS r
JOIN threads AS t ON t.url = r.subject
GROUP BY t.url, t.full_name, t.number, t.title
ORDER BY reactions DESC, t.full_name, t.number, t.url;
