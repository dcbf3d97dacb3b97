-- What was odd about the archives, how often, and where first?
SELECT
  a.name AS archive,
  p.code,
  count(*) AS times,
  min(p.entry) AS first_entry,
  min(p.message) AS for_example
FROM problems AS p
JOIN archives AS a ON a.id = p.archive
GROUP BY a.id, p.code
ORDER BY times DESC, p.code;
