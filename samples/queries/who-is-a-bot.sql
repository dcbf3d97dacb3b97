-- Which accounts are bots, or user accounts named like one?
WITH accounts (url, login, is_bot) AS (
  SELECT url, login, kind = 'bot' OR login LIKE '%[bot]'
  FROM people
  WHERE kind != 'organization' AND url IS NOT NULL
  UNION ALL
  -- Those that the archive names without a record.
  SELECT user, max(user_login), 1
  FROM timeline
  WHERE user LIKE '%[bot]' AND user NOT IN (SELECT url FROM people WHERE url IS NOT NULL)
  GROUP BY user
),
programs AS (
  SELECT url, max(login) AS login, max(is_bot) AS is_bot
  FROM accounts
  WHERE is_bot OR login LIKE '%-bot' OR login LIKE 'bot-%' OR login LIKE '%-ci'
  GROUP BY url
),
active AS (
  SELECT user, count(*) AS did, min(created_at) AS first_at, max(created_at) AS last_at
  FROM timeline
  WHERE user IN (SELECT url FROM programs) AND event IS NOT 'pending'
  GROUP BY user
)
SELECT
  p.login,
  CASE WHEN p.is_bot THEN 'bot' ELSE 'by its name' END AS why,
  coalesce(a.did, 0) AS did,
  substr(a.first_at, 1, 10) AS first_seen,
  substr(a.last_at, 1, 10) AS last_seen
FROM programs AS p
LEFT JOIN active AS a ON a.user = p.url
ORDER BY coalesce(a.did, 0) DESC, p.login;
