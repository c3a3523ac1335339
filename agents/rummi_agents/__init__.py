"""Players for rummi_env, all behind one protocol."""
