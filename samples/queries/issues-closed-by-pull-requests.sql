-- Which pull request closed which issue, and how many days after that was opened?
SELECT
  i.full_name,
  i.number AS issue,
  p.number AS pull_request,
  p.user_login AS solved_by,
  round(julianday(i.closed_at) - julianday(i.created_at), 1) AS days,
  i.title
FROM issue_events AS e
JOIN issues AS i ON i.url = e.issue
JOIN pull_requests AS p ON p.url = e.referencing_pull_request
WHERE e.event = 'closed'
ORDER BY days DESC;
