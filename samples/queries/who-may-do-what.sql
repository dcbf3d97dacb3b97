-- Who has which role in which repository, by team or as a collaborator?
SELECT p.repository, p.user, p.role, t.name AS by_team
FROM permissions AS p
LEFT JOIN teams AS t ON t.url = p.team
WHERE p.source IN ('team', 'collaborator')
ORDER BY 1, 2, 4;
