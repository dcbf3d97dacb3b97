-- How far is each milestone: what is done, what is left, and when is it due?
SELECT
  m.full_name,
  m.title AS milestone,
  m.state,
  substr(m.due_on, 1, 10) AS due,
  count(t.url) AS planned,
  coalesce(sum(t.state != 'open'), 0) AS done,
  group_concat('#' || t.number, ' ') FILTER (WHERE t.state = 'open') AS left_to_do
FROM milestones AS m
LEFT JOIN threads AS t ON t.milestone = m.url
GROUP BY m.url
ORDER BY m.full_name, m.number;
