-- The certifications in force below a unit, which its reviewer lists beside those that name it.
create index certification_dept on certification (dept_id) where kind = 'dept';
