-- How long do pull requests take to be merged (minimum, median, maximum), by repository?
-- :repo repository = null, only this repository: owner/name
WITH merges AS (
  SELECT full_name, (julianday(merged_at) - julianday(created_at)) * 24 AS hours
  FROM pull_requests
  WHERE state = 'merged'
    AND (:repo IS NULL OR full_name = :repo)
),
ranked AS (
  SELECT
    full_name,
    hours,
    row_number() OVER (PARTITION BY full_name ORDER BY hours) AS place,
    count(*) OVER (PARTITION BY full_name) AS merged
  FROM merges
  WHERE hours IS NOT NULL -- a date may be missing
)
SELECT
  full_name,
  merged,
  round(min(hours), 1) AS shortest_hours,
  -- The one in the middle, or the average of the two there.
  round(avg(hours) FILTER (WHERE place IN ((merged + 1) / 2, (merged + 2) / 2)), 1) AS median_hours,
  round(max(hours), 1) AS longest_hours
FROM ranked
GROUP BY full_name, merged
ORDER BY merged DESC, full_name;
