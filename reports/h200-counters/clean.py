import csv, sys
asked = set(open(sys.argv[1]).read().split()) | {"Kernel Name"}
rows = [row for row in csv.reader(sys.stdin) if len(row) > 9 and not row[0].startswith("==")]
keep = [k for k, name in enumerate(rows[0]) if name in asked]
del rows[1]  # units
csv.writer(sys.stdout, lineterminator="\n").writerows([row[k].replace(",", "") for k in keep] for row in rows)
