-- Which records are referenced but not in the archive, such as forks and people who only reacted?
WITH known AS (
  SELECT url FROM people
  UNION SELECT url FROM repositories
  UNION SELECT url FROM threads
),
named (by_what, url) AS (
  SELECT 'author of a thread', user FROM threads
  UNION ALL SELECT 'author in a timeline', user FROM timeline WHERE kind != 'opened'
  UNION ALL SELECT 'reaction', user FROM reactions
  UNION ALL SELECT 'assignee', assignee FROM issues_assignees
  UNION ALL SELECT 'assignee', assignee FROM pull_requests_assignees
  UNION ALL SELECT 'collaborator', user FROM repositories_collaborators
  UNION ALL SELECT 'member of an organization', user FROM organizations_members
  UNION ALL SELECT 'head of a pull request', head_repo FROM pull_requests
  UNION ALL SELECT 'permission of a team', repository FROM teams_permissions
  UNION ALL SELECT 'issue to be closed', issue FROM pull_requests_close_issue_references
)
SELECT url, by_what, count(*) AS times
FROM named
-- NOT IN would find nothing if one record had no url.
WHERE url IS NOT NULL AND url NOT IN (SELECT url FROM known WHERE url IS NOT NULL)
GROUP BY url, by_what
ORDER BY times DESC, url, by_what;
