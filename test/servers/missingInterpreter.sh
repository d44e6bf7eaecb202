#!/no/such/interpreter
# Exists and may be executed, but cannot be: its interpreter is missing.
