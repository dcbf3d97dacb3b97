-- Which accounts are programs: bots, and people's accounts that are named like one?
SELECT
  p.login,
  CASE p.kind WHEN 'bot' THEN 'bot' ELSE 'by its name' END AS why,
  count(t.url) AS did,
  substr(min(t.created_at), 1, 10) AS first_seen,
  substr(max(t.created_at), 1, 10) AS last_seen
FROM people AS p
LEFT JOIN timeline AS t ON t.user = p.url
WHERE p.kind = 'bot'
  OR p.login LIKE '%[bot]'
  OR p.login LIKE '%-bot'
  OR p.login LIKE 'bot-%'
  OR p.login LIKE '%-ci'
GROUP BY p.url
ORDER BY did DESC, p.login;
