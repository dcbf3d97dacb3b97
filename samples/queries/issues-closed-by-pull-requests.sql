-- Which pull request closed which issue, and how many days after the issue was opened?
SELECT
  i.full_name,
  i.number AS issue,
  p.number AS pull_request,
  coalesce(p.user_login, '(deleted)') AS solved_by,
  -- An issue that was opened again may be closed by the same one twice.
  round(coalesce(
    (SELECT max(julianday(e.created_at)) FROM issue_events AS e
     WHERE e.issue = c.issue AND e.event = 'closed' AND e.referencing_pull_request = c.pull_request),
    -- Not every archive has the event.
    julianday(p.merged_at)
  ) - julianday(i.created_at), 1) AS days,
  i.title
FROM closing_pull_requests AS c
JOIN issues AS i ON i.url = c.issue
JOIN threads AS p ON p.url = c.pull_request
WHERE c.how = 'closed'
ORDER BY days DESC, i.full_name, i.number, p.number;
