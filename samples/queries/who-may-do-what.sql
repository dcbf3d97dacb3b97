-- Who may do what in which repository, by a team or as a collaborator?
SELECT p.repository, m.user, p.role, t.name AS by_team
FROM teams AS t
JOIN teams_permissions AS p ON p.team = t.url
JOIN teams_members AS m ON m.team = t.url
UNION ALL
SELECT repository, user, permission, NULL
FROM repositories_collaborators
ORDER BY 1, 2;
