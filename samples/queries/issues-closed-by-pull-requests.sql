-- Which pull request closed which issue, and how many days after the issue was opened?
WITH closings AS (
  SELECT issue, referencing_pull_request AS pull_request, created_at AS at
  FROM issue_events
  WHERE event = 'closed' AND referencing_pull_request IS NOT NULL
  UNION ALL
  -- Not every archive has the event: a merge closes what its pull request announced.
  SELECT r.issue, p.url, p.merged_at
  FROM pull_requests_close_issue_references AS r
  JOIN pull_requests AS p ON p.url = r.pull_request AND p.merged_at IS NOT NULL
  JOIN issues AS i ON i.url = r.issue AND i.closed_at IS NOT NULL
  WHERE NOT EXISTS (SELECT 1 FROM issue_events AS e WHERE e.issue = r.issue AND e.event = 'closed')
)
SELECT
  i.full_name,
  i.number AS issue,
  p.number AS pull_request,
  coalesce(p.user_login, '(deleted)') AS solved_by,
  -- An issue that was opened again may be closed by the same one twice.
  round(max(julianday(c.at)) - julianday(i.created_at), 1) AS days,
  i.title
FROM closings AS c
JOIN issues AS i ON i.url = c.issue
JOIN pull_requests AS p ON p.url = c.pull_request
GROUP BY i.url, p.url
ORDER BY days DESC, i.full_name, i.number, p.number;
