-- Which problems were found when the archives were loaded, how often, and where first?
WITH numbered AS (
  SELECT
    archive,
    code,
    entry,
    message,
    sum(times) OVER (PARTITION BY archive, code) AS times,
    row_number() OVER (PARTITION BY archive, code ORDER BY rowid) AS place
  FROM problems
)
SELECT a.name AS archive, n.code, n.times, n.entry AS first_entry, n.message AS for_example
FROM numbered AS n
JOIN archives AS a ON a.id = n.archive
WHERE n.place = 1
ORDER BY n.times DESC, n.code, a.id;
