-- Who has which role in which repository, by team or as a collaborator?
SELECT
  p.repository,
  m.user,
  -- Archives before 2022 have no roles, and call read and write pull and push.
  coalesce(p.role, CASE p.access WHEN 'pull' THEN 'read' WHEN 'push' THEN 'write' ELSE p.access END) AS role,
  t.name AS by_team
FROM teams AS t
JOIN teams_permissions AS p ON p.team = t.url
JOIN teams_members AS m ON m.team = t.url
UNION ALL
SELECT repository, user, permission, NULL
FROM repositories_collaborators
ORDER BY 1, 2, 4;
