-- How many hours until somebody else reviews a pull request? By repository and year.
-- :repo = null, only this repository: owner/name
WITH first_reviews AS (
  SELECT p.url, min(r.submitted_at) AS at
  FROM pull_requests AS p
  JOIN pull_request_reviews AS r ON r.pull_request = p.url AND r.user IS NOT p.user
  GROUP BY p.url
)
SELECT
  p.full_name,
  substr(p.created_at, 1, 4) AS year,
  count(*) AS pull_requests,
  count(f.at) AS reviewed,
  round(avg(julianday(f.at) - julianday(p.created_at)) * 24, 1) AS hours_on_average,
  round(max(julianday(f.at) - julianday(p.created_at)) * 24, 1) AS hours_at_most
FROM pull_requests AS p
LEFT JOIN first_reviews AS f ON f.url = p.url
WHERE :repo IS NULL OR p.full_name = :repo
GROUP BY p.full_name, year
ORDER BY p.full_name, year;
