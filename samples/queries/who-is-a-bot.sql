-- Which accounts are programs: bots, and people's accounts that are named like one?
WITH active AS (
  SELECT user, count(*) AS did, min(created_at) AS first_at, max(created_at) AS last_at
  FROM timeline
  GROUP BY user
)
SELECT
  p.login,
  CASE p.kind WHEN 'bot' THEN 'bot' ELSE 'by its name' END AS why,
  coalesce(a.did, 0) AS did,
  substr(a.first_at, 1, 10) AS first_seen,
  substr(a.last_at, 1, 10) AS last_seen
FROM people AS p
LEFT JOIN active AS a ON a.user = p.url
WHERE p.kind = 'bot'
  OR p.login LIKE '%[bot]'
  OR p.login LIKE '%-bot'
  OR p.login LIKE 'bot-%'
  OR p.login LIKE '%-ci'
ORDER BY did DESC, p.login;
