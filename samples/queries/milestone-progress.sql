-- How much of each milestone is done, how much is left, and when is it due?
SELECT
  m.full_name,
  m.title AS milestone,
  m.state,
  substr(m.due_at, 1, 10) AS due,
  m.open_threads + m.closed_threads AS planned,
  m.closed_threads AS done,
  (
    SELECT group_concat('#' || number, ' ')
    FROM (SELECT number FROM threads WHERE milestone = m.url AND state = 'open' ORDER BY number)
  ) AS left_to_do
FROM milestone_facts AS m
ORDER BY m.full_name, m.number;
